// A client of the HTTP port made of gRPC's own package for Go. Usage: grpcgoclient HOST:PORT QUERY, where QUERY is in
// the names of more than 20,000 characters. It makes one call of each kind, prints what it got, then makes many calls at
// once, and reads a stream so long that the package measures the connection with pings.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/golang/protobuf/proto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type searchRequest struct {
	Query    string `protobuf:"bytes,1,opt,name=query,proto3"`
	Match    int32  `protobuf:"varint,2,opt,name=match,proto3"`
	PageSize int32  `protobuf:"varint,3,opt,name=page_size,proto3"`
	MaxPages int32  `protobuf:"varint,6,opt,name=max_pages,proto3"`
}

type character struct {
	Id   int64  `protobuf:"varint,1,opt,name=id,proto3"`
	Name string `protobuf:"bytes,2,opt,name=name,proto3"`
}

type searchResponse struct {
	Characters []*character `protobuf:"bytes,1,rep,name=characters,proto3"`
	Total      int32        `protobuf:"varint,2,opt,name=total,proto3"`
}

type toggleRequest struct {
	List        string `protobuf:"bytes,1,opt,name=list,proto3"`
	CharacterId int64  `protobuf:"varint,2,opt,name=character_id,proto3"`
}

type toggleResponse struct {
	IsFavorite bool  `protobuf:"varint,1,opt,name=is_favorite,proto3"`
	Revision   int64 `protobuf:"varint,2,opt,name=revision,proto3"`
}

type listRequest struct {
	List string `protobuf:"bytes,1,opt,name=list,proto3"`
}

type listResponse struct {
	Revision int64 `protobuf:"varint,2,opt,name=revision,proto3"`
	Capacity int32 `protobuf:"varint,3,opt,name=capacity,proto3"`
}

type event struct {
	Revision int64 `protobuf:"varint,2,opt,name=revision,proto3"`
}

type change struct {
	Revision int64 `protobuf:"varint,1,opt,name=revision,proto3"`
}

type watchResponse struct {
	Snapshot *event  `protobuf:"bytes,1,opt,name=snapshot,proto3"`
	Changed  *change `protobuf:"bytes,2,opt,name=changed,proto3"`
}

func (m *searchRequest) Reset()          { *m = searchRequest{} }
func (m *searchRequest) String() string  { return proto.CompactTextString(m) }
func (*searchRequest) ProtoMessage()     {}
func (m *character) Reset()              { *m = character{} }
func (m *character) String() string      { return proto.CompactTextString(m) }
func (*character) ProtoMessage()         {}
func (m *searchResponse) Reset()         { *m = searchResponse{} }
func (m *searchResponse) String() string { return proto.CompactTextString(m) }
func (*searchResponse) ProtoMessage()    {}
func (m *toggleRequest) Reset()          { *m = toggleRequest{} }
func (m *toggleRequest) String() string  { return proto.CompactTextString(m) }
func (*toggleRequest) ProtoMessage()     {}
func (m *toggleResponse) Reset()         { *m = toggleResponse{} }
func (m *toggleResponse) String() string { return proto.CompactTextString(m) }
func (*toggleResponse) ProtoMessage()    {}
func (m *listRequest) Reset()            { *m = listRequest{} }
func (m *listRequest) String() string    { return proto.CompactTextString(m) }
func (*listRequest) ProtoMessage()       {}
func (m *listResponse) Reset()           { *m = listResponse{} }
func (m *listResponse) String() string   { return proto.CompactTextString(m) }
func (*listResponse) ProtoMessage()      {}
func (m *event) Reset()                  { *m = event{} }
func (m *event) String() string          { return proto.CompactTextString(m) }
func (*event) ProtoMessage()             {}
func (m *change) Reset()                 { *m = change{} }
func (m *change) String() string         { return proto.CompactTextString(m) }
func (*change) ProtoMessage()            {}
func (m *watchResponse) Reset()          { *m = watchResponse{} }
func (m *watchResponse) String() string  { return proto.CompactTextString(m) }
func (*watchResponse) ProtoMessage()     {}

const service = "/marvel.v1.MarvelService/"
const substring = 2

var connection *grpc.ClientConn

func main() {
	var err error
	connection, err = grpc.Dial(os.Args[1], grpc.WithInsecure())
	if err != nil {
		fmt.Println("dial:", err)
		os.Exit(1)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()

	id := pages(ctx)
	watch(ctx, id)
	errors(ctx)
	atOnce(ctx)
	longStream(ctx, os.Args[2])
}

func pages(ctx context.Context) int64 {
	stream := open(ctx, "SearchCharacters", &searchRequest{Query: "ma", PageSize: 4, MaxPages: 3})
	var id int64
	for {
		var page searchResponse
		if err := stream.RecvMsg(&page); err != nil {
			fmt.Println("search", err == io.EOF)
			return id
		}
		id = page.Characters[0].Id
		fmt.Println("page", len(page.Characters))
	}
}

func watch(ctx context.Context, id int64) {
	ctx, cancel := context.WithCancel(ctx)
	events := open(ctx, "WatchFavorites", &listRequest{List: "go"})
	var first, second watchResponse
	events.RecvMsg(&first)
	var toggled toggleResponse
	report("toggle", call(ctx, "ToggleFavorite", &toggleRequest{List: "go", CharacterId: id}, &toggled))
	events.RecvMsg(&second)
	fmt.Println("watch", first.Snapshot != nil, second.Changed != nil && second.Changed.Revision == toggled.Revision)
	cancel()
	report("cancelled watch", events.RecvMsg(&second))
}

func errors(ctx context.Context) {
	var list listResponse
	var page searchResponse
	stream := open(ctx, "SearchCharacters", &searchRequest{Query: "s"})
	err := stream.RecvMsg(&page)
	fmt.Println("short query", status.Code(err), "details", len(status.Convert(err).Proto().Details))
	report("unknown method", call(ctx, "Nothing", &listRequest{}, &list))

	soon, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	events := open(soon, "WatchFavorites", &listRequest{})
	var event watchResponse
	for err = nil; err == nil; {
		err = events.RecvMsg(&event)
	}
	report("deadline", err)

	// The package itself refuses what the server's settings forbid: 16 KiB of headers.
	for _, size := range []int{8000, 9000} {
		large := metadata.AppendToOutgoingContext(ctx, "x-large", strings.Repeat("x", size))
		report(fmt.Sprint("metadata of ", size), call(large, "ListFavorites", &listRequest{}, &list))
	}
	huge := metadata.AppendToOutgoingContext(ctx, "x-large", strings.Repeat("x", 17_000))
	fmt.Println("metadata of 17000", call(huge, "ListFavorites", &listRequest{}, &list) != nil)
	report("after that", call(ctx, "ListFavorites", &listRequest{}, &list))
}

func atOnce(ctx context.Context) {
	done := make(chan error, 1000)
	for i := 0; i < cap(done); i++ {
		go func() {
			var list listResponse
			done <- call(ctx, "ListFavorites", &listRequest{List: "go"}, &list)
		}()
	}
	failures := 0
	for i := 0; i < cap(done); i++ {
		if err := <-done; err != nil {
			fmt.Println(err)
			failures++
		}
	}
	fmt.Println("failures of calls at once", failures)
}

func longStream(ctx context.Context, query string) {
	stream := open(ctx, "SearchCharacters", &searchRequest{Query: query, Match: substring, PageSize: 1})
	pages, total := 0, 0
	for {
		var page searchResponse
		if err := stream.RecvMsg(&page); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			break
		}
		pages++
		total = int(page.Total)
	}
	fmt.Println("long stream", pages == total && pages > 20_000)
}

func call(ctx context.Context, method string, request, answer proto.Message) error {
	return connection.Invoke(ctx, service+method, request, answer)
}

func open(ctx context.Context, method string, request proto.Message) grpc.ClientStream {
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, service+method)
	if err == nil {
		err = stream.SendMsg(request)
	}
	if err == nil {
		err = stream.CloseSend()
	}
	if err != nil {
		fmt.Println(method, err)
		os.Exit(1)
	}
	return stream
}

func report(what string, err error) {
	fmt.Println(what, status.Code(err))
}
