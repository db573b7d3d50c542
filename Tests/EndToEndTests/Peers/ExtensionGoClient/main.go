// Prints what a client of the extension sees. Usage: client HOST:PORT. At the end it writes "ready" to standard error,
// and waits for the server to stop.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/status"
)

type searchRequest struct {
	Query    string `protobuf:"bytes,1,opt,name=query,proto3"`
	PageSize int32  `protobuf:"varint,3,opt,name=page_size,proto3"`
}

type favoriteRequest struct {
	CharacterId int64 `protobuf:"varint,2,opt,name=character_id,proto3"`
}

type ignored struct{}

func (m *searchRequest) Reset()           { *m = searchRequest{} }
func (m *searchRequest) String() string   { return proto.CompactTextString(m) }
func (*searchRequest) ProtoMessage()      {}
func (m *favoriteRequest) Reset()         { *m = favoriteRequest{} }
func (m *favoriteRequest) String() string { return proto.CompactTextString(m) }
func (*favoriteRequest) ProtoMessage()    {}
func (m *ignored) Reset()                 {}
func (m *ignored) String() string         { return "" }
func (*ignored) ProtoMessage()            {}

const service = "marvel.v1.MarvelService"

func main() {
	time.AfterFunc(time.Minute, func() { panic("a server does not answer") })
	askPlainServer()

	server, err := net.Dial("tcp", os.Args[1])
	check(err)
	c, client := Connect(server, 2)
	var hello Hello
	check(proto.Unmarshal(<-c.hello, &hello))
	fmt.Println("hello", hello.Version, hello.MaximumStreams > 0)
	fmt.Println("ping", c.Ping([8]byte{1, 2, 3, 4, 5, 6, 7, 8}))

	search, err := c.OpenStream(service, "SearchCharacters", &searchRequest{Query: "spider", PageSize: 4})
	check(err)
	readPages(search, 2)
	for _, credit := range []uint32{3, 1} {
		c.Ping([8]byte{})
		fmt.Println("waiting without credit", len(search.frames))
		search.Grant(credit)
		readPages(search, credit)
	}
	_, err = search.Receive()
	fmt.Println("search", err)

	cancelled, err := c.OpenStream(service, "WatchFavorites", &ignored{})
	check(err)
	watch, err := c.OpenStream(service, "WatchFavorites", &ignored{})
	check(err)
	for _, stream := range []*Stream{cancelled, watch} {
		_, err = stream.Receive()
		check(err)
	}
	cancelled.Cancel()
	err = client.Call(context.Background(), service, "ToggleFavorite", &favoriteRequest{CharacterId: 1009610}, &ignored{})
	fmt.Println("toggle", status.Code(err))
	_, err = watch.Receive()
	c.Ping([8]byte{})
	fmt.Println("change", status.Code(err), "for the cancelled watch", len(cancelled.frames))

	fmt.Fprintln(os.Stderr, "ready")
	var goAway GoAway
	check(proto.Unmarshal(<-c.goAway, &goAway))
	fmt.Println("go away", goAway.Reason, goAway.LastStreamID == watch.id+2)
	_, err = watch.Receive()
	fmt.Println("watch", status.Code(err))
	err = client.Call(context.Background(), service, "ListFavorites", &ignored{}, &ignored{})
	fmt.Println("later call fails", err != nil)
}

func readPages(search *Stream, count uint32) {
	for ; count > 0; count-- {
		page, err := search.Receive()
		check(err)
		fmt.Println("page", len(page) > 0)
	}
}

// askPlainServer sends frames of the extension to a server of containerd's ttrpc. It answers the call and nothing else.
func askPlainServer() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	server, err := ttrpc.NewServer()
	check(err)
	server.Register("plain", map[string]ttrpc.Method{
		"Echo": func(_ context.Context, decode func(interface{}) error) (interface{}, error) {
			return &ignored{}, decode(&ignored{})
		},
	})
	go server.Serve(context.Background(), listener)
	connection, err := net.Dial("tcp", listener.Addr().String())
	check(err)
	c, client := Connect(connection, 2)
	c.send(connectionID, typePing, make([]byte, 8))
	c.send(1, typeCredit, []byte{0, 0, 0, 1})
	c.send(1, typeCancel, nil)
	err = client.Call(context.Background(), "plain", "Echo", &ignored{}, &ignored{})
	fmt.Println("plain server", status.Code(err), len(c.hello), len(c.pongs))
	check(server.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
